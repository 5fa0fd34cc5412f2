rule record:
    input:
        "reports/_site",
    output:
        "dvc.yaml",
        "dvc.lock",
    log:
        "logs/record.log",
    params:
        config=CONFIG,
    shell:
        "isogloss --log {log} record --config {params.config}"
