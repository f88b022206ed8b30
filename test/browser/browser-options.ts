/** Starts Debian's Chromium, or the browser that CHROMIUM names, without background network traffic. */
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
