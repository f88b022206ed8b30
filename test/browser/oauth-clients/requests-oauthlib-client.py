"""Uses requests-oauthlib. Prints the authorization URL, reads the URL of the callback, and prints the outcome."""
import json
import os
import sys
from urllib.parse import parse_qs, urlsplit

import requests
from oauthlib.oauth2 import WebApplicationClient
from requests_oauthlib import OAuth2Session

# The service of the test has no TLS.
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

settings = json.loads(sys.argv[1])
issuer, client_id, secret = settings["issuer"], settings["clientID"], settings["clientSecret"]
# The library authenticates with HTTP Basic. An app without a secret sends its ID in the form.
authentication = {"include_client_id": True} if secret is None else {"client_secret": secret}

client = WebApplicationClient(client_id)
session = OAuth2Session(client=client, redirect_uri=settings["redirectURI"], scope=settings["scope"].split())
verifier = client.create_code_verifier(64)
url, state = session.authorization_url(
    f"{issuer}/oauth/authorize",
    code_challenge=client.create_code_challenge(verifier, "S256"),
    code_challenge_method="S256",
    act_as=settings["actAs"],
)
print(url, flush=True)
callback = sys.stdin.readline().strip()
# The library checks only the `state` parameter.
assert parse_qs(urlsplit(callback).query)["iss"] == [issuer]


def ask(token):
    headers = {"Authorization": f"Bearer {token}"}
    query = {"query": "{ viewer { user { name } } }"}
    return requests.post(f"{issuer}/public/graphql", json=query, headers=headers)


def name():
    answer = session.post(f"{issuer}/public/graphql", json={"query": "{ viewer { user { name } } }"})
    return answer.json()["data"]["viewer"]["user"]["name"]


def introspect(token):
    if secret is None:
        return None
    return requests.post(f"{issuer}/oauth/introspect", data={"token": token}, auth=(client_id, secret)).json()


session.fetch_token(f"{issuer}/oauth/token", authorization_response=callback, code_verifier=verifier, **authentication)
names = [name()]
credentials = {"client_id": client_id} if secret is None else {"auth": (client_id, secret)}
token = session.refresh_token(f"{issuer}/oauth/token", **credentials)["access_token"]
names.append(name())
introspected = introspect(token)
revoke_url, headers, body = client.prepare_token_revocation_request(f"{issuer}/oauth/revoke", token)
if secret is None:
    requests.post(revoke_url, headers=headers, data=f"{body}&client_id={client_id}").raise_for_status()
else:
    requests.post(revoke_url, headers=headers, data=body, auth=(client_id, secret)).raise_for_status()
status = ask(token).status_code
after = introspect(token)
print(
    json.dumps(
        {
            "names": names,
            "introspected": introspected,
            "statusAfterRevocation": status,
            "activeAfterRevocation": after and after["active"],
        }
    )
)
