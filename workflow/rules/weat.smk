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
        code=project.code("weat"),
    shell:
        "isogloss --log {log} weat --config {params.config}"
