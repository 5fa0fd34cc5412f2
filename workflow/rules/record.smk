rule record:
    input:
        "reports/_site",
    output:
        "dvc.yaml",
        "dvc.lock",
    log:
        "logs/record.log",
    shell:
        "isogloss --log {log} record --config {CONFIG}"
