// What the busy team is called, and what its people and programs say. `{}` becomes a number.

export const people =
  `Ada Park, Maya Lindqvist, Wei Zhang, Chloé Martin, Amara Okafor, Tomás Rivera, Ingrid Nilsen, ליאור כהן,
Priya Raman, Jonas Weber, Amara Okafor, Sofia Rossi, Hiro Tanaka, Fatima Zahra El Idrissi, Lukas Novák,
Grace Mbeki, Elif Yılmaz, Daniel O’Connor, Yuki Sato, Rosa Delgado, Omar Haddad, Nina Petrova, Sam Carter,
Aino Korhonen, Mateus Almeida, Zoë van den Berg, Kwame Asante, Ruth Levi,
Bartholomew Featherstonehaugh-Cholmondeley, Linh Tran`.split(/,\s*/)

/** Programs post into the first groups, most of all into the first one. */
export const groups =
  `alerts-edge, alerts-db, alerts-api, alerts-queue, alerts-search, alerts-billing, alerts-mobile, builds-api,
builds-web, builds-ios, builds-android, builds-docs, deploys, backups, errors, Platform, Payments, Search,
Mobile, Web, Design, Research, Data, Security, Support, Sales, Marketing, Finance, Legal, People, Office,
On call, Incidents, Postmortems, Releases, Roadmap, Accessibility, Performance, Docs, API, SDK, Customers,
Pricing, Onboarding, Interns, Reading, Lunch, Running, Chess, Music, Photos, Gardening, Berlin, Lagos,
Osaka, Announcements, Random, Hiring, Leads, Budget`.split(/,\s*/)

export const privateGroups = ['Hiring', 'Leads', 'Budget', 'Legal', 'Security']

/** A webhook posts to the groups whose names begin so. */
export const webhooks = [
  { name: 'Alertmanager', posts: 'alerts-' },
  { name: 'Grafana', posts: 'alerts-' },
  { name: 'GitHub', posts: 'builds-' },
  { name: 'Deploy bot', posts: 'deploys' },
  { name: 'Backup', posts: 'backups' },
  { name: 'Sentry', posts: 'errors' },
] as const

export const apps = ['Incident bot', 'Standup', 'Translator']

export const alerts =
  `HighLatency, DiskFull, ReplicationLag, ErrorRate, QueueDepth, CertificateExpiry, PodRestarts,
MemoryPressure, SlowQueries, ConnectionPool`.split(/,\s*/)

/** What a program says while its alert or build is under way. */
export const progress = [
  'p95 of `POST /orders` is **{} ms** in the last 5 minutes.',
  'Still firing. {} of 1000 instances are affected.',
  'Step {} of 1000 finished.',
  'Retried by the scheduler, attempt {}.',
  '```\nERROR pool: timeout after {} ms\n  at acquire (pool.ts:118)\n  at query (driver.ts:44)\n```',
  'Runbook: https://runbooks.example.com/edge/{}',
]

export const subjects = [
  ...[
    'Plan for release {}',
    'Who owns the importer?',
    'Slow search on page {}',
    'Notes of the interview',
    'Draft {}',
  ],
  ...[
    'Question about invoice {}',
    'Broken link in the docs',
    'Customer {} cannot sign in',
    'Ideas for the offsite',
  ],
  ...[
    'Migration of table {}',
    'Proposal: fewer meetings',
    'Bug {}: the menu closes by itself',
    'Travel to Lagos',
  ],
]

/** What people say. */
export const remarks = [
  ...[
    'Done.',
    'Thanks!',
    'Looking at it now.',
    'Can somebody review this today?',
    'It works on my machine. 🙂',
  ],
  ...[
    'I will take it.',
    'Not urgent, next week is fine.',
    'Let us talk about this at 14:30.',
    'Merged.',
    '👍',
  ],
  'The log says the pool was empty for {} seconds. I raise the limit and watch it over lunch.',
  'See https://github.com/example/shop/pull/{} and tell me what you think.',
  'I compared both: the old way takes {} ms and the new one a third of that. The difference is the index on `orders`.',
  'Three points:\n- the importer retries for ever\n- nobody is told\n- the page still says **done**',
  '```sh\nnpm run migrate -- --to {}\n```\nThen restart the workers, one after another.',
  'Sorry for the noise, that was my test.',
  'The customer writes that it happens only on Mondays. I have asked for a recording.',
  'If we ship on Thursday, support has a quiet Friday. Otherwise we wait until {} is closed.',
  'نعم، سأراجعه غدًا.',
  '> It must be DNS.\n\nIt was DNS.',
]

export const reactions = ['👍', '🎉', '👀', '❤️', '✅'] as const
