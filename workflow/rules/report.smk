rule report_parts:
    input:
        project.report_inputs(),
        "data/sources.yaml",
    output:
        directory("reports/_generated"),
        "reports/_variables.yml",
    params:
        config=CONFIG,
        encoder=project.encoder_settings(),
        code=project.code("report"),
    log:
        "logs/report_parts.log",
    shell:
        "isogloss --log {log} parts --config {params.config}"


rule report:
    input:
        "reports/_generated",
        "reports/_variables.yml",
        "reports/_quarto.yml",
        "reports/custom.scss",
        "reports/references.bib",
        project.pages(),
    output:
        directory("reports/_site"),
    params:
        config=CONFIG,
        code=project.code("report"),
    log:
        "logs/report.log",
    shell:
        "isogloss --log {log} report --out {output} --config {params.config}"
