rule stimuli:
    input:
        lambda wildcards: project.item_inputs(wildcards.study, wildcards.item_set),
        "data/stimuli/{study}/{item_set}.yaml",
    output:
        "data/items/{study}/{item_set}/items.csv",
        "data/items/{study}/{item_set}/repairs.csv",
    log:
        "logs/stimuli/{study}/{item_set}.log",
    params:
        config=CONFIG,
        folder=lambda wildcards: project.items_folder(
            wildcards.study, wildcards.item_set
        ),
        code=code_digest("stimuli"),
    shell:
        "isogloss --log {log} stimuli {wildcards.study} {wildcards.item_set} --out {params.folder}"
        " --config {params.config}"


rule generate:
    input:
        lambda wildcards: project.generated_inputs(wildcards.made),
    output:
        "data/generated/{made}/candidates.csv",
        "data/generated/{made}/chosen.csv",
    log:
        "logs/generate/{made}.log",
    params:
        config=CONFIG,
        options=lambda wildcards: project.generate_options(wildcards.made),
        folder=lambda wildcards: project.generated_folder(wildcards.made),
        seed=project.config.seed,
        thresholds=project.thresholds(),
        encoder=project.encoder_settings(),
        code=code_digest("generate"),
    shell:
        "isogloss --log {log} generate {params.options} --out {params.folder}"
        " --config {params.config}"
