const side = 256
const maxBytes = 256 * 1024
const quality = 0.9

/**
 * Returns the center of an image as a square of at most 256 pixels. It has no metadata, such as the place of a photograph.
 * A browser that cannot write WebP writes PNG, which can be too large for a photograph. Then the picture is a JPEG.
 */
export async function squarePicture(file: Blob): Promise<File> {
  const image = await createImageBitmap(file).catch(() => {
    throw new Error('The browser cannot read this file as an image.')
  })
  const cut = Math.min(image.width, image.height)
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = Math.min(side, cut)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('The browser cannot draw the picture.')
  context.imageSmoothingQuality = 'high'
  const [left, top] = [(image.width - cut) / 2, (image.height - cut) / 2]
  context.drawImage(image, left, top, cut, cut, 0, 0, canvas.width, canvas.height)
  image.close()
  const picture = await blobOf(canvas, 'image/webp')
  const small = picture.size > maxBytes ? await blobOf(canvas, 'image/jpeg') : picture
  return new File([small], 'picture', { type: small.type })
}

function blobOf(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The browser cannot write the picture.'))),
      type,
      quality,
    ),
  )
}
