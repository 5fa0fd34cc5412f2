"""Names of technologies, products and standards, with the other ways in which they are written."""

from typing import Final

_PLAIN = """
python|java|javascript=js|typescript=ts|kotlin|scala|haskell|erlang|elixir|clojure|fortran|cobol
matlab|perl|php|golang|ruby on rails|objective-c|visual basic=vba|bash|powershell|html|css|sass
numpy|pandas|scipy|pytorch|tensorflow|keras|scikit-learn=sklearn|xgboost|hugging face|opencv
django|flask|fastapi|nodejs=node.js|react native|reactjs=react.js|angular=angularjs|vuejs=vue.js
nextjs=next.js|jquery|spring boot|laravel|symfony|wordpress|drupal|shopify|magento|squarespace
mysql|postgresql=postgres|sqlite|mariadb|mongodb=mongo|redis|memcached|dynamodb|bigquery|snowflake
redshift|elasticsearch|opensearch|neo4j|clickhouse|duckdb|influxdb|couchbase|firebase|kafka
rabbitmq|hadoop|databricks|dbt|fivetran|docker|podman|containerd|kubernetes=k8s|openshift
helm charts|terraform|ansible|cloudformation|pulumi|vagrant|jenkins|github actions|github|gitlab
bitbucket|circleci|argocd=argo cd|travis ci|prometheus|grafana|datadog|splunk|pagerduty|new relic
kibana|logstash|nginx|apache spark=pyspark|tomcat|linux|ubuntu|debian|red hat|macos|windows server
android|ios|vmware|cloudflare|heroku|azure|aws=amazon web services
google cloud=gcp=google cloud platform|digitalocean|netlify|vercel|google sheets|google docs
google analytics|google ads|google workspace|google drive|google maps|powerpoint|sharepoint
onedrive|visio|power bi|power query|tableau|looker|qlik|spss|stata|jupyter|vs code|visual studio
intellij|eclipse ide|vim|emacs|xcode|jira|trello|monday.com|clickup|miro|figma|photoshop
illustrator|indesign|canva|autocad|solidworks|sketchup|revit|blender|unity3d|unreal engine|webex
skype|whatsapp|mailchimp|hubspot|salesforce|zendesk|freshdesk|servicenow|dynamics 365|netsuite
quickbooks|xero|sage 50|oracle database|paypal|square pos|twilio|okta|auth0|dropbox|evernote
airtable|zapier|pytest|junit|selenium|openapi|graphql|grpc|webpack|bluetooth|wifi=wi-fi|ethernet
zigbee|usb|hdmi|arduino|raspberry pi|iphone|ipad|kindle|chatgpt|scrum|kanban|six sigma|prince2
lean six sigma|haccp|gdpr|hipaa|itil|cobit
"""
_CAPITALISED = """
Go|Rust|Swift|Ruby|Rails|React|Vue|Angular|Spark|Flink|Hive|Presto|Puppet|Chef|Consul|Vault|Helm
Git|Chrome|Firefox|Safari|Edge|Windows|Word|Teams|Access|Oracle|Unity|Maya|Sketch|Notion|Express
Spring|Hibernate|Maven|Gradle|Julia|Dart|Flutter|Sage|Workday|Stripe|Square|Buffer|Loom|Linear
Lean|Agile|Kanban|Scrum|R|C|Excel|Outlook|Slack|Zoom|Confluence|Sentry|Celery|Swagger|Babel
Postman|Intercom|Cypress|Playwright|SAP|Apache|Airflow|Kinesis|Cassandra|Asana|SAS|Basecamp
"""
_NOT = """
CEO CTO CFO COO CIO HR UK US USA EU UN NGO PHD MBA TV OK NHS FAQ PR QA IT ID CV PS PTA GP RSVP ASAP
ETA FYI DIY AM PM AI II III IV NYC LA DC
"""


def _written_as() -> dict[str, str]:
    rows = [row.split("=") for row in _PLAIN.replace("\n", "|").split("|") if row]
    return {form: row[0] for row in rows for form in row}


KNOWN: Final[dict[str, str]] = _written_as()
"""Name by each way of writing it, in lower case; they are names however they are written."""
WITH_CAPITAL: Final = frozenset(name for name in _CAPITALISED.replace("\n", "|").split("|") if name)
"""Names that are words, too, and so are names with a capital inside a sentence only."""
NO_PRODUCTS: Final = frozenset(_NOT.split())
"""Words in capitals that name no technology."""
