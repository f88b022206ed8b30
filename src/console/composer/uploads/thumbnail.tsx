import { useEffect, useState } from 'react'
import styles from './thumbnail.module.css'

const shown = ['image/avif', 'image/bmp', 'image/gif', 'image/jpeg', 'image/png', 'image/webp']

/** A small picture of an image that will be sent. The browser reads it from the file, without the service. */
export function Thumbnail({ file }: { file: File | null }) {
  const [url, setURL] = useState<string | null>(null)
  useEffect(() => {
    if (!file || !shown.includes(file.type)) return
    const url = URL.createObjectURL(file)
    setURL(url)
    return () => URL.revokeObjectURL(url)
  }, [file])
  if (url === null) return null
  // The name of the file is beside the picture.
  return (
    <img className={styles.thumbnail} src={url} alt="" width={40} height={40} onError={() => setURL(null)} />
  )
}
