rule score:
    input:
        "data/items/{study}/{item_set}/items.csv",
        "data/items/{study}/{item_set}/verdicts.csv",
        lambda wildcards: project.model_input(wildcards.model),
    output:
        "data/responses/{study}/{item_set}/{model}.parquet",
    log:
        "logs/score/{study}/{item_set}/{model}.log",
    threads: lambda wildcards: project.threads(wildcards.model, workflow.cores)
    params:
        config=CONFIG,
        settings=lambda wildcards: project.section(wildcards.study, "scoring"),
        seed=project.config.seed,
        code=code_digest("score"),
    shell:
        "isogloss --log {log} score {wildcards.study} {wildcards.item_set} {wildcards.model}"
        " --out {output} --config {params.config}"
