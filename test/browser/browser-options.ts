/** How to start Debian's Chromium, or the browser that CHROMIUM names, without connections of its own. */
export const browserOptions = {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [
    ...[
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
    ],
    ...['--disable-component-update', '--disable-sync'],
  ],
}
