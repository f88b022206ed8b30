# Sends each notification to each URL with Apprise: send-with-apprise.py <JSON list of Apprise URLs> <URL instead of
# Slack's> <JSON list of notifications>. Prints a JSON list of the statuses and texts of the answers.
import json
import re
import sys

import apprise
import requests

urls, slack_url, notifications = sys.argv[1:]
slack = re.compile(r'^https://hooks\.slack\.com/services/\w+/\w+/\w+')
request = requests.Session.request
answers = []


def request_elsewhere(session, method, url, *args, **options):
    answer = request(session, method, slack.sub(lambda _: slack_url, url), *args, **options)
    answers.append([answer.status_code, answer.text])
    return answer


requests.Session.request = request_elsewhere
sender = apprise.Apprise(json.loads(urls))
for notification in json.loads(notifications):
    sender.notify(**notification)
print(json.dumps(answers))
