import shlex

from isogloss.record.workflow import configuration_options


rule record:
    input:
        TARGETS,
    output:
        "dvc.yaml",
        "dvc.lock",
    log:
        "logs/record.log",
    params:
        options=shlex.join(
            configuration_options(
                workflow.overwrite_configfiles,
                workflow.config_settings.config,
                project=Path.cwd(),
            )
        ),
    shell:
        "isogloss record {params.options} > {log} 2>&1"
