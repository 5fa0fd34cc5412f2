rule weat:
    input:
        project.weat_inputs(),
    output:
        project.weat_paths(),
    log:
        "logs/weat.log",
    params:
        config=CONFIG,
        settings=project.weat_settings(),
        seed=project.config.seed,
        code=code_digest("weat"),
    shell:
        "isogloss --log {log} weat --config {params.config}"
