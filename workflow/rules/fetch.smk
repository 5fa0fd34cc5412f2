rule fetch:
    output:
        "data/raw/{source}/{file}",
    params:
        config=CONFIG,
        pin=lambda wildcards: project.pin(wildcards.source),
        code=project.code("fetch"),
    log:
        "logs/fetch/{source}/{file}.log",
    shell:
        "isogloss --log {log} fetch {wildcards.source} --out {output} --config {params.config}"


rule identify:
    output:
        "data/models/{model}.json",
    params:
        config=CONFIG,
        model=lambda wildcards: project.model_settings(wildcards.model),
        code=project.code("identify"),
    log:
        "logs/identify/{model}.log",
    shell:
        "isogloss --log {log} identify {wildcards.model} --out {output} --config {params.config}"
