rule record:
    input:
        "reports/_site",
    output:
        "dvc.yaml",
        "dvc.lock",
    params:
        config=CONFIG,
    log:
        "logs/record.log",
    shell:
        "isogloss --log {log} record --config {params.config}"
