rule fetch:
    output:
        "data/raw/{source}/{file}",
    log:
        "logs/fetch/{source}/{file}.log",
    params:
        config=CONFIG,
        pin=lambda wildcards: project.pin(wildcards.source),
        code=code_digest("fetch"),
    shell:
        "isogloss --log {log} fetch {wildcards.source} --out {output} --config {params.config}"


rule identify:
    input:
        lambda wildcards: project.model_files(wildcards.model),
    output:
        "data/models/{model}.json",
    log:
        "logs/identify/{model}.log",
    params:
        config=CONFIG,
        model=lambda wildcards: project.model_settings(wildcards.model),
        code=code_digest("identify"),
    shell:
        "isogloss --log {log} identify {wildcards.model} --out {output} --config {params.config}"
