import { expect } from 'vitest'
import type { Payload } from './payload.ts'

const message = (text: unknown, state: unknown = null) => ({ messages: [{ text, state }] })

/** Bodies with the fields that these senders document or send. The contents are invented. */
export const jsonPayloads: Payload[] = [
  {
    from: 'Apprise 1.2',
    bodies: [{ version: '1.0', title: 'Backup', message: 'Disk full', attachments: [], type: 'failure' }],
    written: message('**Backup**\nDisk full', 'failed'),
  },
  {
    from: 'Healthchecks, with a body of your own',
    bodies: [{ title: 'nightly-backup', status: 'up', url: 'https://hc.example.com/checks/1/' }],
    written: message('**[nightly-backup](https://hc.example.com/checks/1/)**', 'ok'),
  },
  {
    from: 'Watchtower, with template=json',
    bodies: [{ title: 'Watchtower updates on nas', message: 'Found new nginx:latest image', host: 'nas' }],
    written: message(expect.stringMatching(/^\*\*Watchtower updates on nas\*\*\nFound new nginx/)),
  },
  {
    from: 'Uptime Kuma',
    bodies: [
      {
        heartbeat: {
          monitorID: 1,
          status: 0,
          time: '2026-11-26 10:00:00.000',
          msg: 'timeout',
          important: true,
        },
        monitor: { id: 1, name: 'web', url: 'https://web.example.com', type: 'http', interval: 60 },
        msg: '[web] [🔴 Down] timeout',
      },
    ],
    written: message(expect.stringMatching(/^\[web\] \[🔴 Down\] timeout\n\n```json\n/), 'failed'),
  },
  {
    from: 'Diun',
    bodies: [
      {
        diun_version: '4.28.0',
        hostname: 'nas',
        status: 'new',
        provider: 'docker',
        image: 'docker.io/library/nginx:latest',
        hub_link: 'https://hub.docker.com/_/nginx',
        mime_type: 'application/vnd.docker.distribution.manifest.list.v2+json',
        digest: 'sha256:216e3ae7de4c',
        created: '2026-11-20T12:00:00Z',
        platform: 'linux/amd64',
      },
    ],
    written: message(
      expect.stringMatching(/^_A JSON body without text._\n\n```json\n[\s\S]*"image": "docker/),
    ),
  },
  {
    from: 'a script with an empty text',
    bodies: [{ text: '', title: 'Backup' }],
    written: message('**Backup**'),
  },
  {
    from: 'a script in which every field is null',
    bodies: [{ text: null, message: null, title: null, url: null, status: null, heartbeat: null }],
    written: message(expect.stringMatching(/^_A JSON body without text._\n/)),
  },
  {
    from: 'a script that writes from right to left',
    bodies: [{ title: 'اختبار', message: 'مرحبا', status: 'success' }],
    written: message('**اختبار**\nمرحبا', 'ok'),
  },
  {
    from: 'a script with 256 KiB of fields',
    bodies: [
      {
        message: 'Many rows',
        ...Object.fromEntries(Array.from({ length: 6000 }, (_, index) => [`row_${index}`, 'x'.repeat(32)])),
      },
    ],
    written: message(expect.stringMatching(/^Many rows\n\n```json\n[\s\S]*…$/)),
  },
  {
    from: 'a script with an empty body',
    bodies: [{}, [], null, ''],
    written: { messages: [] },
  },
]
