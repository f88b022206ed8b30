/** Returns the value of each sample of a response with metrics, by its name and labels. */
export async function samplesAt(url: string): Promise<Map<string, number>> {
  const text = await (await fetch(url)).text()
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
}
