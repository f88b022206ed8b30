import type { Payload } from './payload.ts'

const message = (text: unknown, state: unknown = null) => ({ messages: [{ text, state }] })

/** Bodies with the fields that these senders send. The contents are invented. */
export const discordPayloads: Payload[] = [
  {
    from: 'Uptime Kuma, about a service that is down',
    bodies: [
      {
        username: 'Uptime Kuma',
        embeds: [
          {
            title: '❌ Your service shop went down. ❌',
            color: 16711680,
            timestamp: '2026-01-31 12:00:00.000Z',
            fields: [
              { name: 'Service Name', value: 'shop' },
              { name: 'Service URL', value: 'https://shop.example.com/' },
              { name: 'Went Offline', value: '<t:1769860800:F>' },
              { name: 'Time (Europe/Berlin)', value: '2026-01-31 13:00:00' },
              { name: 'Error', value: 'connect ECONNREFUSED 192.0.2.1:443' },
            ],
          },
        ],
      },
    ],
    written: message(
      [
        '**❌ Your service shop went down. ❌**',
        [
          '**Service Name:** shop',
          '**Service URL:** https://shop.example.com/',
          '**Went Offline:** 2026-01-31 12:00 UTC',
          '**Time (Europe/Berlin):** 2026-01-31 13:00:00',
          '**Error:** connect ECONNREFUSED 192.0.2.1:443',
        ].join('\n'),
        '_2026-01-31 12:00 UTC_',
      ].join('\n\n'),
      'failed',
    ),
  },
  {
    from: 'Apprise, in Markdown',
    bodies: [
      {
        tts: false,
        wait: true,
        avatar_url: 'https://example.com/apprise.png',
        username: 'backup',
        embeds: [
          {
            author: { name: 'Apprise', url: 'https://example.com/apprise' },
            title: 'Backup',
            description: '# Done\n- 40 GB\n- 12 minutes',
            color: 3899441,
          },
        ],
      },
    ],
    written: message(
      '[Apprise](https://example.com/apprise)\n**Backup**\n\n**Done**\n- 40 GB\n- 12 minutes',
      'ok',
    ),
  },
  {
    from: 'a form of Grafana, with the picture of a panel',
    bodies: [
      {
        payload_json: JSON.stringify({
          username: 'Grafana',
          content: '**Firing**\n\nValue: B=22, C=1\nLabels:\n - alertname = Disk',
          embeds: [
            {
              title: '[FIRING:1] Disk',
              type: 'rich',
              color: 14037554,
              url: 'https://grafana.example.com/alerting/list',
              footer: {
                icon_url: 'https://grafana.com/static/assets/img/fav32.png',
                text: 'Grafana v12.0.0',
              },
            },
            { image: { url: 'attachment://disk.png' }, title: 'Disk', color: 14037554 },
          ],
        }),
        files: ['disk.png'],
      },
    ],
    written: message(
      [
        '**Firing**\n\nValue: B=22, C=1\nLabels:\n - alertname = Disk',
        '**[\\[FIRING:1\\] Disk](https://grafana.example.com/alerting/list)**',
        '_Grafana v12.0.0_',
        '**Disk**',
        '_Not carried over: disk.png_',
      ].join('\n\n'),
      'failed',
    ),
  },
]
