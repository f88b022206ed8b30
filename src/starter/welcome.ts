/**
 * The commands to try first. They read the secrets from starter.json, so that none is on the screen or in a log;
 * Node reads the JSON, since it is there.
 */
export function welcome(path: string): string {
  const read = (expression: string) => `node -p 'JSON.parse(fs.readFileSync(0)).${expression}'`
  return `
Skein has a starter workspace. Paste these, in order:

# What was made: IDs, and secrets that only you can read
STARTER='${path.replaceAll("'", `'\\''`)}'
starter() { node -p 'JSON.parse(fs.readFileSync(process.argv[1])).'"$1" "$STARTER"; }

# A token of the app's user
TOKEN=$(curl -sS "$(starter baseURL)/oauth/token" -d grant_type=client_credentials -d "subject=$(starter workspaceID)" -d "client_id=$(starter clientID)" -d "client_secret=$(starter clientSecret)" --data-urlencode "redirect_uri=$(starter redirectURI)" | ${read('access_token')})
graphql() { curl -sS "$(starter baseURL)/public/graphql" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d "$1"; echo; }

# Who am I?
graphql '{"query":"{ me { id name } }"}'

# The DM of the app's user and the first person
ME=$(graphql '{"query":"{ me { id } }"}' | ${read('data.me.id')})
graphql '{"query":"{ node(id: \\"'"$(starter 'userIDs[0]')-$ME"'\\") { ... on UserEdge { persistentChatEdge { node { id isPeristentChat recipients { edges { node { id name } } } messages { nodes { text } } } } } } }"}'

# Open a thread by webhook; later calls with the same threadBy append to it
THREAD=$(curl -sS "$(starter webhookURL)" -H 'Content-Type: application/json' -d '{"target":"'"$(starter groupID)"'","threadSubject":"Build 42","threadBy":"build-42","text":"**Build 42** has started"}' | ${read('threadID')})

# Upload a file and attach it; the same uniqueBy again would update this message
echo 'all green' > report.txt
FILE=$(curl -sS -T report.txt "$(starter webhookURL)/attachment" -H 'X-File-Name: report.txt' -H "Content-MD5: $(openssl md5 -binary report.txt | base64)" | ${read('id')})
curl -sS "$(starter webhookURL)" -H 'Content-Type: application/json' -d '{"target":"'"$THREAD"'","text":"Build 42 has passed","uniqueBy":"result","attachments":["'"$FILE"'"]}'; echo

# Read the thread back
graphql '{"query":"{ thread(id: \\"'"$THREAD"'\\") { subject messages { nodes { user { name } text html attachments { nodes { name size } } } } } }"}'
`
}
