import { expect, onTestFinished, test, vi } from 'vitest'
import { callAt } from '../../src/platform/scheduling/call-at.ts'

const soon = { timeout: 20_000 }
const inMs = (ms: number) => performance.now() + ms

test('calls are made in the order of their times, whatever the order in which they were requested', async () => {
  const made: string[] = []
  callAt(inMs(300), () => made.push('last'))
  callAt(inMs(10), () => made.push('first'))
  callAt(inMs(150), () => made.push('second'))
  await expect.poll(() => made, soon).toEqual(['first', 'second', 'last'])
})

test('a call is never made before its time', async () => {
  const at = inMs(20.9)
  const madeAt = await new Promise<number>((resolve) => callAt(at, () => resolve(performance.now())))
  expect(madeAt).toBeGreaterThanOrEqual(at)
})

test('a cancelled call is not made', async () => {
  const [cancelled, made] = [vi.fn(), vi.fn()]
  const cancel = callAt(inMs(10), cancelled)
  callAt(inMs(50), made)
  cancel()
  await expect.poll(() => made.mock.calls.length, soon).toBe(1)
  expect(cancelled).not.toHaveBeenCalled()
})

test('a thousand calls one after another need one timer', () => {
  const timers = vi.spyOn(globalThis, 'setTimeout')
  onTestFinished(() => timers.mockRestore())
  for (let turn = 0; turn < 1000; turn++) callAt(inMs(60_000), () => {})()
  expect(timers.mock.calls.length).toBeLessThanOrEqual(1)
})
