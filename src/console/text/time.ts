const [timeFormat, weekdayFormat, dayFormat, fullFormat] = [
  new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }),
  new Intl.DateTimeFormat(undefined, { weekday: 'short' }),
  new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' }),
  new Intl.DateTimeFormat(undefined, { dateStyle: 'full' }),
]

export function timeOfDay(time: string): string {
  return timeFormat.format(new Date(time))
}

/** Returns "Today" for the day that `useToday` returns, "Yesterday" for the day before, otherwise the date. */
export function dayOf(time: string, today: string): string {
  const date = new Date(time)
  if (date.toDateString() === today) return 'Today'
  const isYesterday = date.toDateString() === daysBefore(today, 1).toDateString()
  return isYesterday ? 'Yesterday' : fullFormat.format(date)
}

/** Returns the time of day for the day that `useToday` returns, the weekday for the six days before, otherwise the date. */
export function shortTime(time: string, today: string): string {
  const date = new Date(time)
  if (date.toDateString() === today) return timeFormat.format(date)
  const isRecent = date < new Date(today) && date >= daysBefore(today, 6)
  return (isRecent ? weekdayFormat : dayFormat).format(date)
}

/** Returns the first moment of a day before the day that `useToday` returns. */
function daysBefore(today: string, days: number): Date {
  const date = new Date(today)
  date.setDate(date.getDate() - days)
  return date
}

/** Returns whether two times are on the same day in the reader's time zone. */
export function isSameDay(one: string, other: string): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString()
}

const dateFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const dateTimeFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

export function dateOf(time: string): string {
  return dateFormat.format(new Date(time))
}

const dateMinuteFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

export function dateAndTime(time: string): string {
  return dateTimeFormat.format(new Date(time))
}

export function dateAndMinute(time: string): string {
  return dateMinuteFormat.format(new Date(time))
}

const requestFormat = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

/** Returns the time of an entry of a log that is stored for a few days. */
export function timeOfRequest(time: string): string {
  return requestFormat.format(new Date(time))
}

/** Returns a time as the value of a field for a date and a time, in the time zone of the reader. */
export function inputTime(time: string): string {
  const date = new Date(time)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
