import { expect } from 'vitest'
import type { Payload } from './payload.ts'

const plain = (text: string) => ({ type: 'plain_text', text, emoji: true })
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text })
const message = (text: unknown, state: unknown = null) => ({ messages: [{ text, state }] })
const section = { type: 'section', text: mrkdwn(`*Step* ${'is running for a long time '.repeat(4)}`) }

/** Bodies with the fields that these senders document or send. The contents are invented. */
export const slackPayloads: Payload[] = [
  {
    from: 'the Slack plugin of Jenkins',
    bodies: [
      {
        channel: '#builds',
        username: 'jenkins',
        link_names: '1',
        unfurl_links: 'true',
        unfurl_media: 'true',
        attachments: [
          {
            fallback: 'shop - #12 Failure after 4 min 2 sec (<https://ci.example.com/12|Open>)',
            color: 'danger',
            mrkdwn_in: ['pretext', 'text', 'fields'],
            fields: [
              {
                title: '',
                value: 'shop - #12 Failure after 4 min 2 sec (<https://ci.example.com/12|Open>)',
                short: false,
              },
            ],
          },
        ],
      },
    ],
    written: message('shop - #12 Failure after 4 min 2 sec ([Open](https://ci.example.com/12))', 'failed'),
  },
  {
    from: 'the Slack notifications of GitLab, about a pipeline',
    bodies: [
      {
        username: 'GitLab',
        attachments: [
          {
            fallback: 'Pipeline #123 of branch main by Ann (ann) has passed in 01:05',
            color: 'good',
            author_name: 'Ann (ann)',
            author_icon: 'https://gitlab.example.com/ann.png',
            author_link: 'https://gitlab.example.com/ann',
            title: 'Pipeline #123 has passed in 01:05',
            title_link: 'https://gitlab.example.com/shop/-/pipelines/123',
            fields: [
              { title: 'Branch', value: '<https://gitlab.example.com/shop/commits/main|main>', short: true },
              { title: 'Commit', value: '<https://gitlab.example.com/shop/commit/a1|Fix>', short: true },
            ],
            footer: 'shop',
            footer_icon: 'https://gitlab.example.com/shop.png',
            ts: 1_792_837_800,
          },
        ],
      },
    ],
    written: message(
      [
        '[Ann (ann)](https://gitlab.example.com/ann)\n**[Pipeline #123 has passed in 01:05](https://gitlab.example.com/shop/-/pipelines/123)**',
        '**Branch:** [main](https://gitlab.example.com/shop/commits/main)\n**Commit:** [Fix](https://gitlab.example.com/shop/commit/a1)',
        '_shop · 2026-10-24 10:30 UTC_',
      ].join('\n\n'),
      'ok',
    ),
  },
  {
    from: 'the Slack contact point of Grafana',
    bodies: [
      {
        channel: '#alerts',
        username: 'Grafana',
        text: '',
        attachments: [
          {
            title: '[FIRING:1] Queue is long (mails)',
            title_link: 'https://grafana.example.com/alerting/list',
            text: '**Firing**\n\nValue: A=1204\nLabels:\n - queue = mails\n',
            fallback: '[FIRING:1] Queue is long (mails)',
            footer: 'Grafana v11.2.0',
            footer_icon: 'https://grafana.com/static/assets/img/fav32.png',
            color: '#D63232',
            ts: 1_792_837_800,
          },
        ],
      },
    ],
    written: message(
      expect.stringContaining('**[\\[FIRING:1\\] Queue is long (mails)](https://grafana.example.com/'),
      'failed',
    ),
  },
  {
    from: 'Uptime Kuma',
    bodies: [
      {
        text: 'Uptime Kuma Alert',
        username: 'Uptime Kuma',
        icon_emoji: ':robot_face:',
        attachments: [
          {
            color: '#2eb886',
            blocks: [
              { type: 'header', text: plain('Uptime Kuma Alert') },
              { type: 'section', fields: [mrkdwn('*Message*\n[web] 200 - OK'), mrkdwn('*Time*\n10:00')] },
              {
                type: 'actions',
                elements: [
                  {
                    type: 'button',
                    text: plain('Visit site'),
                    value: 'Site',
                    url: 'https://web.example.com/',
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
    written: message(expect.stringMatching(/\*\*Message\*\* \[web\] 200 - OK[\s\S]*\[Visit site\]\(/), 'ok'),
  },
  {
    from: 'a workflow of GitHub Actions',
    bodies: [
      {
        text: 'Deploy: success',
        blocks: [
          { type: 'header', text: plain('Deploy 12') },
          { type: 'section', text: mrkdwn('Deployed by <https://github.com/ann|ann> to `production`') },
          { type: 'context', elements: [mrkdwn('*main* at `a1b2c3d`')] },
        ],
      },
    ],
    written: message(
      '**Deploy 12**\n\nDeployed by [ann](https://github.com/ann) to `production`\n\n**main** at `a1b2c3d`',
    ),
  },
  {
    from: 'a script with an empty text',
    bodies: [{ text: '' }],
    written: message('_A Slack message without text._'),
  },
  {
    from: 'a script with only a fallback',
    bodies: [{ attachments: [{ fallback: 'Build 12 failed', color: 'danger' }] }],
    written: message('Build 12 failed', 'failed'),
  },
  {
    from: 'a script in which every field is null',
    bodies: [
      { text: null, username: null, channel: null, icon_emoji: null, blocks: null, attachments: null },
      { text: null, attachments: [{ color: null, title: null, text: null, fields: null, ts: null }] },
    ],
    written: {
      messages: [
        { text: '_A Slack message without text._', state: null },
        { text: '_A Slack message without text, 1 attachment._', state: null },
      ],
    },
  },
  {
    from: 'a script that writes from right to left',
    bodies: [{ text: 'הבנייה *נכשלה* <https://ci.example.com/|יומן>' }],
    written: message('הבנייה **נכשלה** [יומן](https://ci.example.com/)'),
  },
  {
    from: 'a script with 256 KiB of blocks',
    bodies: [{ blocks: Array(Math.ceil((256 * 1024) / JSON.stringify(section).length)).fill(section) }],
    written: message(expect.stringMatching(/^\*\*Step\*\* is running[\s\S]*\n…$/)),
  },
]
