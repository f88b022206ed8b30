/** Templates to copy. The names of the fields are those of WebhookTemplatesInput. */
export type Example = {
  name: string
  /** Where the person tells the program the URL. */
  where: string
  /** The body that the person gives to the program, if the program has none of its own. */
  body?: string
  templates: Readonly<Record<string, string>>
}

const pagerDuty: Example = {
  name: 'PagerDuty',
  where: 'In PagerDuty, open Integrations → Generic Webhooks (v3), add a webhook, and paste the URL.',
  templates: {
    text: `{% if event.resource_type == "incident" -%}
**{{ event.event_type | split: "." | last | replace: "_", " " | capitalize }}**
{%- if event.agent.summary %} by {{ event.agent.summary }}{% endif %}:
{%- if event.data.incident %} {{ event.data.content | default: event.data.message }}
{%- else %} {{ event.data.title | link: event.data.html_url }}
Service {{ event.data.service.summary }}, urgency {{ event.data.urgency }}
{%- endif -%}
{% endif %}`,
    threadBy: '{{ event.data.incident.id | default: event.data.id }}',
    threadSubject: '{{ event.data.title | default: event.data.incident.summary }}',
    uniqueBy: '{{ event.id }}',
    state: `{% case event.event_type %}
{% when "incident.triggered", "incident.reopened", "incident.unacknowledged" %}failed
{% when "incident.acknowledged" %}running
{% when "incident.resolved" %}ok
{% endcase %}`,
    threadClosed: '{% if event.event_type == "incident.resolved" %}true{% endif %}',
  },
}

const jenkins: Example = {
  name: 'Jenkins',
  where:
    'Install the Notification plugin. In the configuration of a job, add a notification endpoint with the format JSON, the protocol HTTP and the URL.',
  templates: {
    text: `{% if build.phase == "STARTED" or build.phase == "FINALIZED" -%}
{{ display_name | default: name | append: " #" | append: build.number | link: build.full_url }}
{%- if build.scm.branch %} on {{ build.scm.branch | code }}{% endif %}
{%- if build.phase == "STARTED" %} is running
{%- else %}: **{{ build.status | downcase | replace: "_", " " }}**
{%- endif -%}
{% endif %}`,
    uniqueBy: '{{ build.full_url }}',
    state: `{% if build.phase == "STARTED" %}running
{% elsif build.status == "SUCCESS" %}ok
{% else %}failed
{% endif %}`,
  },
}

const healthchecks: Example = {
  name: 'Healthchecks',
  where:
    'In Healthchecks, open Integrations → Webhook. For both states, choose POST, paste the URL, add the header Content-Type: application/json, and paste this body.',
  body: `{"id": "$CODE", "name": $NAME_JSON, "status": "$STATUS", "tags": "$TAGS"}`,
  templates: {
    text: '**{{ name }}** is {{ status }}{% if tags != blank %} ({{ tags }}){% endif %}',
    threadBy: '{{ id }}',
    threadSubject: '{{ name }}',
    state: '{% if status == "up" %}ok{% elsif status == "down" %}failed{% endif %}',
    threadClosed: '{% if status == "up" %}true{% endif %}',
  },
}

const jira: Example = {
  name: 'Jira',
  where:
    'In Jira, open Settings → System → Webhooks, add a webhook with the URL, and choose events of issues and comments.',
  templates: {
    text: `{% assign browse = issue.self | split: "/rest/" | first | append: "/browse/" | append: issue.key -%}
{% assign title = issue.key | append: " " | append: issue.fields.summary -%}
{% case webhookEvent -%}
{% when "jira:issue_created" -%}
{{ user.displayName }} created {{ title | link: browse }}
{{ issue.fields.issuetype.name }}, {{ issue.fields.priority.name | default: "no priority" }}, {{ issue.fields.assignee.displayName | default: "unassigned" }}
{%- when "jira:issue_updated" -%}
{% if changelog.items.size > 0 -%}
{{ user.displayName }} changed {{ title | link: browse }}
{% for item in changelog.items limit: 20 %}
- {{ item.field }}: {{ item.fromString | default: "none" | truncate: 200 }} → {{ item.toString | default: "none" | truncate: 200 }}
{%- endfor -%}
{% endif -%}
{% when "comment_created", "comment_updated" -%}
{{ comment.updateAuthor.displayName }} commented on {{ title | link: browse }}:
{{ comment.body }}
{%- endcase %}`,
    threadBy: '{{ issue.key }}',
    threadSubject: '{{ issue.key }} {{ issue.fields.summary }}',
    uniqueBy: '{% if webhookEvent contains "comment_" %}comment-{{ comment.id }}{% endif %}',
    threadClosed: `{% if webhookEvent contains "jira:issue_" and issue.fields.status.statusCategory.key %}
{{- issue.fields.status.statusCategory.key == "done" -}}
{% endif %}`,
  },
}

/** The programs in the order in which they are offered. */
export const examples: readonly Example[] = [pagerDuty, jenkins, healthchecks, jira]
