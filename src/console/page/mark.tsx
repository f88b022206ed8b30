/** The strands of the letter S. */
export const markPaths = [
  'M19 7.6A7 7 0 1 0 12 14.6A1.8 1.8 0 1 1 10.2 16.4',
  'M16.4 7.6A4.4 4.4 0 1 0 12 12A4.4 4.4 0 1 1 7.6 16.4',
  'M13.8 7.6A1.8 1.8 0 1 0 12 9.4A7 7 0 1 1 5 16.4',
]

/** The mark of Skein. Screen readers ignore it. */
export function Mark() {
  return (
    <svg
      width="20"
      height="20"
      viewBox="0 0 24 24"
      fill="none"
      stroke="var(--accent-ink)"
      strokeWidth="1.7"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d={markPaths.join('')} />
    </svg>
  )
}
