rule report_parts:
    input:
        project.parts_inputs(),
        project.pages(),
    output:
        directory("reports/_generated"),
        "reports/_variables.yml",
    log:
        "logs/report_parts.log",
    params:
        config=CONFIG,
        encoder=project.encoder_settings(),
        code=code_digest("report"),
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
    log:
        "logs/report.log",
    params:
        config=CONFIG,
        code=code_digest("report"),
    shell:
        "isogloss --log {log} report --out {output} --config {params.config}"
