rule validate:
    input:
        "data/items/{study}/{item_set}/items.csv",
        "data/items/{study}/{item_set}/repairs.csv",
        lexicon=lambda wildcards: project.study(wildcards.study).lexicon,
    output:
        "data/items/{study}/{item_set}/checks.csv",
        "data/items/{study}/{item_set}/verdicts.csv",
    log:
        "logs/validate/{study}/{item_set}.log",
    params:
        config=CONFIG,
        folder=lambda wildcards: project.items_folder(
            wildcards.study, wildcards.item_set
        ),
        settings=lambda wildcards: project.section(wildcards.study, "validation"),
        encoder=project.encoder_settings(),
        code=project.code("validate"),
    shell:
        "isogloss --log {log} validate {wildcards.study} {wildcards.item_set}"
        " --folder {params.folder} --config {params.config}"
