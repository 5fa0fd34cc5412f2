rule list_code:
    output:
        "data/code.sha256",
    log:
        "logs/list_code.log",
    params:
        config=CONFIG,
        files=hash_bytes(code_list(project.root, Path(CONFIG)).encode()),
    shell:
        "isogloss --log {log} list-code --out {output} --config {params.config}"


rule record:
    input:
        "reports/_site",
        "data/code.sha256",
    output:
        "dvc.yaml",
        "dvc.lock",
    log:
        "logs/record.log",
    params:
        config=CONFIG,
    shell:
        "isogloss --log {log} record --config {params.config}"
