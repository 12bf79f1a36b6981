/** Smaller files are sent as they are. */
const BYTES_SMALL = 1_000_000;
/** The longer side in pixels: enough to read a receipt. */
const SIDE_MAX = 2400;
const QUALITY = 0.85;

/**
 * A photo as it is shown, and small enough to be sent from where it was taken. Other files, and pictures that this
 * browser cannot read, stay as they are: the service decides about them.
 */
export async function smallerPicture(file: File): Promise<File> {
  const isPicture = /^image\/(jpeg|png|webp)$/.test(file.type);
  if (!isPicture || file.size <= BYTES_SMALL) return file;
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return file;
  const blob = await drawn(picture);
  picture.close();
  if (!blob || blob.size >= file.size) return file;
  return new File([blob], `${file.name.replace(/\.[^.]*$/, '')}.jpg`, { type: blob.type });
}

function drawn(picture: ImageBitmap): Promise<Blob | null> {
  const scale = Math.min(1, SIDE_MAX / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  const pen = canvas.getContext('2d')!;
  // JPEG has no transparency.
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => {
    canvas.toBlob(resolve, 'image/jpeg', QUALITY);
  });
}
