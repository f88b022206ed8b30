import { createHash, randomBytes } from 'node:crypto'
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { followFile } from '../../src/storage/digests.ts'

const mebibyte = 1024 * 1024
const folder = await mkdtemp(join(tmpdir(), 'skein-digests-'))

afterAll(() => rm(folder, { recursive: true }))

function digestsOf(contents: Uint8Array) {
  const of = (name: string) => createHash(name).update(contents).digest('hex')
  return { md5: of('md5'), sha256: of('sha256') }
}

async function endOf(file: ReturnType<typeof followFile>, size: number) {
  const { md5, sha256 } = await file.end(size)
  return { md5: Buffer.from(md5).toString('hex'), sha256: Buffer.from(sha256).toString('hex') }
}

describe('the digests of a file', () => {
  test.each([0, 1, mebibyte, 5 * mebibyte + 7])('of %i bytes match its contents', async (size) => {
    const contents = randomBytes(size)
    const path = join(folder, `whole-${size}`)
    await writeFile(path, contents)
    const file = followFile(path)
    file.follow(size)
    expect(await endOf(file, size)).toEqual(digestsOf(contents))
  })

  test('are correct while several files grow at the same time', async () => {
    const files = Array.from({ length: 8 }, (_, index) => {
      const path = join(folder, `growing-${index}`)
      return { path, contents: randomBytes(4 * mebibyte + index), file: followFile(path) }
    })
    for (let at = 0; at < 5 * mebibyte; at += mebibyte) {
      for (const { path, contents, file } of files) {
        await appendFile(path, contents.subarray(at, at + mebibyte))
        file.follow(Math.min(at + mebibyte, contents.length))
      }
    }
    const ends = files.map(({ file, contents }) => endOf(file, contents.length))
    expect(await Promise.all(ends)).toEqual(files.map(({ contents }) => digestsOf(contents)))
  })

  test('fail only for a missing file and for a file that is shorter than expected', async () => {
    const gone = followFile(join(folder, 'gone'))
    gone.follow(2 * mebibyte)
    await expect(gone.end(3 * mebibyte)).rejects.toThrow('could not be computed')
    const path = join(folder, 'short')
    const contents = randomBytes(2 * mebibyte)
    await writeFile(path, contents)
    const short = followFile(path)
    short.follow(2 * mebibyte)
    await expect(short.end(3 * mebibyte)).rejects.toThrow('shorter')
    const again = followFile(path)
    again.follow(2 * mebibyte)
    expect(await endOf(again, 2 * mebibyte)).toEqual(digestsOf(contents))
  })

  test('are computed again after the file is forgotten', async () => {
    const path = join(folder, 'forgotten')
    await writeFile(path, randomBytes(2 * mebibyte))
    const first = followFile(path)
    first.follow(2 * mebibyte)
    first.forget()
    const contents = randomBytes(2 * mebibyte)
    // The worker thread handles messages in order. When this file is finished, the first file is forgotten.
    const between = join(folder, 'between')
    await writeFile(between, contents)
    const after = followFile(between)
    after.follow(2 * mebibyte)
    await endOf(after, 2 * mebibyte)
    await writeFile(path, contents)
    const second = followFile(path)
    second.follow(2 * mebibyte)
    expect(await endOf(second, 2 * mebibyte)).toEqual(digestsOf(contents))
  })
})
