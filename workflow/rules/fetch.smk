rule fetch:
    output:
        "data/raw/{source}/{file}",
    params:
        pin=lambda wildcards: project.pin(wildcards.source),
        code=project.code("fetch"),
    log:
        "logs/fetch/{source}/{file}.log",
    shell:
        "isogloss --log {log} fetch {wildcards.source} --out {output} --config {CONFIG}"


rule identify:
    output:
        "data/models/{model}.json",
    params:
        model=lambda wildcards: project.model_settings(wildcards.model),
        code=project.code("identify"),
    log:
        "logs/identify/{model}.log",
    shell:
        "isogloss --log {log} identify {wildcards.model} --out {output} --config {CONFIG}"
