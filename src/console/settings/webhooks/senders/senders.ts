import { curlJSON } from '../../commands/curl-command.ts'

/** The values in an example. */
export type Place = { url: string; groupID: string; name: string }

type Docs = { path: string; topic: string }

const fields = { path: '/docs/webhooks', topic: 'the fields of a message' }

/** A program that can call a webhook. */
export type Sender = {
  name: string
  /** Where the person pastes the example. */
  where: string
  /** What the example is, such as the name of a file. */
  label: string
  example: (place: Place) => string
  /** The page of the documentation. */
  docs: Docs
}

const formatURL = (format: string, { url, groupID }: Place) => `${url}/${format}?target=${groupID}`

/** The programs in the order in which they are offered. */
export const senders: readonly Sender[] = [
  {
    name: 'curl',
    where: 'Run this command in a terminal.',
    label: 'Command',
    example: ({ url, groupID, name }) => curlJSON(url, { target: groupID, text: `Hello from **${name}**` }),
    docs: fields,
  },
  {
    name: 'Slack-compatible',
    where:
      'Paste this URL where the program asks for a Slack webhook URL. Such a field is often named “Incoming webhook”.',
    label: 'Slack webhook URL',
    example: (place) => formatURL('slack', place),
    docs: { path: '/docs/webhooks/slack', topic: 'messages for Slack' },
  },
  {
    name: 'Discord-compatible',
    where: 'Paste this URL where the program asks for a Discord webhook URL.',
    label: 'Discord webhook URL',
    example: (place) => formatURL('discord', place),
    docs: { path: '/docs/webhooks/discord', topic: 'messages for Discord' },
  },
  {
    name: 'Alertmanager',
    where: 'Add this receiver to alertmanager.yml, and name it in a route.',
    label: 'alertmanager.yml',
    example: (place) => `receivers:
  - name: skein
    webhook_configs:
      - url: ${formatURL('alertmanager', place)}`,
    docs: { path: '/docs/webhooks/alertmanager', topic: 'Alertmanager' },
  },
  {
    name: 'Grafana',
    where:
      'In Grafana, open Alerting → Contact points. Add a contact point with the integration Webhook, and paste this URL.',
    label: 'URL of the contact point',
    example: (place) => formatURL('grafana', place),
    docs: { path: '/docs/webhooks/grafana', topic: 'Grafana' },
  },
  {
    name: 'GitHub',
    where:
      'In the repository or the organization, open Settings → Webhooks → Add webhook. Paste this URL as the Payload URL, choose the content type application/json, and select the events.',
    label: 'Payload URL',
    example: (place) => formatURL('github', place),
    docs: { path: '/docs/webhooks/github', topic: 'GitHub' },
  },
  {
    name: 'GitLab',
    where:
      'In the project or the group, open Settings → Webhooks → Add new webhook. Paste this URL, and select the triggers.',
    label: 'URL',
    example: (place) => formatURL('gitlab', place),
    docs: { path: '/docs/webhooks/gitlab', topic: 'GitLab' },
  },
  {
    name: 'Sentry',
    where:
      'In Sentry, open Settings → Developer Settings, create an internal integration, and paste this URL as its Webhook URL. Turn on “Alert Rule Action”, and choose “issue” under Webhooks. You can copy its Client Secret to the signature secret of this webhook.',
    label: 'Webhook URL of the integration',
    example: (place) => formatURL('sentry', place),
    docs: { path: '/docs/webhooks/sentry', topic: 'Sentry' },
  },
  {
    name: 'GitHub Actions',
    where:
      'In the repository, open Settings → Secrets and variables → Actions. Save the webhook URL as the secret SKEIN_URL. Then add this as the last step of a job. To show that the job is running, add it as the first step too, with “STATE: running”. The last step updates the message.',
    label: 'Step of a workflow',
    example: ({ groupID }) => `- name: Post the result
  if: always()
  env:
    SKEIN_URL: \${{ secrets.SKEIN_URL }}
    STATE: \${{ job.status == 'success' && 'ok' || 'failed' }}
    INDEX: \${{ strategy.job-index }}
  run: |
    RUN_URL="$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID"
    KEY="$GITHUB_RUN_ID-$GITHUB_JOB-$INDEX"
    curl -sS "$SKEIN_URL?target=${groupID}&uniqueBy=$KEY&state=$STATE" \\
      -H 'Content-Type: text/plain' \\
      --data-binary "[$GITHUB_WORKFLOW / $GITHUB_JOB on $GITHUB_REF_NAME]($RUN_URL): $STATE"`,
    docs: fields,
  },
  {
    name: 'Jenkins',
    where:
      'In Jenkins, open Manage Jenkins → Credentials. Save the webhook URL as a credential of the kind “Secret text” with the ID skein-url. Then add this to the pipeline. To show that the build is running, copy the withCredentials block into the first stage too, with “STATE=running”. The post section updates the message.',
    label: 'Jenkinsfile',
    example: ({ groupID }) => `post {
  always {
    withCredentials([string(credentialsId: 'skein-url', variable: 'SKEIN_URL')]) {
      withEnv(["STATE=\${currentBuild.currentResult == 'SUCCESS' ? 'ok' : 'failed'}"]) {
        sh '''
          curl -sS "$SKEIN_URL?target=${groupID}&uniqueBy=$BUILD_URL&state=$STATE" \\
            -H 'Content-Type: text/plain' \\
            --data-binary "[$JOB_NAME $BUILD_DISPLAY_NAME]($BUILD_URL): $STATE"
        '''
      }
    }
  }
}`,
    docs: fields,
  },
  {
    name: 'Any JSON',
    where:
      'Paste this URL where the program asks for a webhook. Then write templates for what it sends, on the page of this webhook.',
    label: 'URL',
    example: (place) => formatURL('template', place),
    docs: { path: '/docs/webhooks/template', topic: 'templates' },
  },
  {
    name: 'Python',
    where: 'Save this as a file and run it with python3. It needs no packages.',
    label: 'Python',
    example: ({ url, groupID }) => `import json
import urllib.request

url = "${url}"
message = {"target": "${groupID}", "text": "Hello from **Python**"}
headers = {"Content-Type": "application/json"}
request = urllib.request.Request(url, json.dumps(message).encode(), headers)
with urllib.request.urlopen(request) as response:
    print(response.read().decode())`,
    docs: fields,
  },
  {
    name: 'Go',
    where: 'Save this as main.go and run it with “go run main.go”. It needs no modules.',
    label: 'main.go',
    example: ({ url, groupID }) => `package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
)

func main() {
	message := map[string]string{"target": "${groupID}", "text": "Hello from **Go**"}
	body, err := json.Marshal(message)
	if err != nil {
		panic(err)
	}
	response, err := http.Post("${url}", "application/json", bytes.NewReader(body))
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	io.Copy(os.Stdout, response.Body)
}`,
    docs: fields,
  },
]
