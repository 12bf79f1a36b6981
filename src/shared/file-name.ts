/** The ending of the name of a file, by the media type of its content. */
const endings: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/svg+xml': 'svg',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'video/mp4': 'mp4',
  'text/csv': 'csv',
  'text/plain': 'txt',
};

export function endingOf(contentType: string): string {
  const ending = endings[contentType.split(';')[0]!];
  if (ending === undefined) throw new Error(`${contentType} has no ending: add it to the list`);
  return ending;
}

/** Folders, control characters, and characters that are not seen, such as those that turn the direction of text. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}/\\]/gu;

/** A name without hidden characters that ends as its type does, whatever ending it had: `page.html` is a `page.pdf`. */
export function fileNameOf(name: string, contentType: string): string {
  const plain = name.replace(HIDDEN, '');
  const stem = plain.replace(/\.[^.]*$/, '').replace(/[. ]+$/, '') || 'file';
  return `${stem}.${endingOf(contentType)}`;
}

/** The headers of a file (RFC 6266): a name in ASCII, and as it is for clients that know the second form. */
export function fileHeaders(
  name: string,
  contentType: string,
  disposition: 'attachment' | 'inline' = 'attachment',
) {
  const whole = fileNameOf(name, contentType);
  const plain = whole.replaceAll(/[^\w .-]/g, '_');
  const encoded = encodeURIComponent(whole).replaceAll(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const names =
    plain === whole ? `filename="${plain}"` : `filename="${plain}"; filename*=UTF-8''${encoded}`;
  return { 'Content-Type': contentType, 'Content-Disposition': `${disposition}; ${names}` };
}
