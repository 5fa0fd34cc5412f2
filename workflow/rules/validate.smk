rule validate:
    input:
        "data/items/{study}/{item_set}/items.csv",
        "data/items/{study}/{item_set}/repairs.csv",
        lambda wildcards: project.validation_inputs(wildcards.study, wildcards.item_set),
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
        thresholds=project.thresholds(),
        encoder=project.encoder_settings(),
        code=code_digest("validate"),
    shell:
        "isogloss --log {log} validate {wildcards.study} {wildcards.item_set}"
        " --folder {params.folder} --config {params.config}"


rule calibrate:
    input:
        "data/calibration/pairs.csv",
        "data/calibration/faults.yaml",
        project.guise_files(),
    output:
        project.calibration_paths(),
    log:
        "logs/calibrate.log",
    params:
        config=CONFIG,
        thresholds=project.thresholds(),
        encoder=project.encoder_settings(),
        code=code_digest("calibrate"),
    shell:
        "isogloss --log {log} calibrate --config {params.config}"


rule inventory:
    input:
        project.set_tables(),
        project.generated_paths(),
        project.review_files(),
    output:
        project.inventory_paths(),
    log:
        "logs/inventory.log",
    params:
        config=CONFIG,
        out_of_reach=project.sets_out_of_reach(),
        code=code_digest("inventory"),
    shell:
        "isogloss --log {log} inventory --config {params.config}"
