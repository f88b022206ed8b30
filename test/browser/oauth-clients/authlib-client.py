"""Uses Authlib. Prints the authorization URL, reads the URL of the callback, and prints the outcome."""
import json
import sys
from urllib.parse import parse_qs, urlsplit

from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session

settings = json.loads(sys.argv[1])
issuer, secret = settings["issuer"], settings["clientSecret"]

metadata = OAuth2Session().get(f"{issuer}/.well-known/oauth-authorization-server", withhold_token=True).json()
method = "none" if secret is None else "client_secret_basic"
session = OAuth2Session(
    settings["clientID"],
    secret,
    scope=settings["scope"],
    redirect_uri=settings["redirectURI"],
    code_challenge_method="S256",
    token_endpoint_auth_method=method,
    revocation_endpoint_auth_method=method,
)
verifier = generate_token(48)
url, state = session.create_authorization_url(
    metadata["authorization_endpoint"], code_verifier=verifier, act_as=settings["actAs"]
)
print(url, flush=True)
callback = sys.stdin.readline().strip()
# The library checks only the `state` parameter.
assert parse_qs(urlsplit(callback).query)["iss"] == [issuer]


def ask():
    return session.post(f"{issuer}/public/graphql", json={"query": "{ viewer { user { name } } }"})


def name():
    return ask().json()["data"]["viewer"]["user"]["name"]


def introspect(token):
    if secret is None:
        return None
    return session.introspect_token(metadata["introspection_endpoint"], token=token).json()


endpoint = metadata["token_endpoint"]
session.fetch_token(endpoint, authorization_response=callback, state=state, code_verifier=verifier)
names = [name()]
token = session.refresh_token(endpoint)["access_token"]
names.append(name())
introspected = introspect(token)
session.revoke_token(metadata["revocation_endpoint"], token=token, token_type_hint="access_token").raise_for_status()
status = ask().status_code
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
