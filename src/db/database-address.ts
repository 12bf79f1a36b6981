/** The address of a PostgreSQL database. Throws in words that complete the sentence "DATABASE_URL must …". */
export function databaseAddress(text: string): string {
  if (text === '') return '';
  const url = URL.parse(text);
  const name = url?.pathname.slice(1) ?? '';
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || name === '' || name.includes('/')) {
    throw new Error('be an address like postgres://user:password@host:5432/name');
  }
  try {
    decodeURIComponent(url.username + url.password + name);
  } catch {
    throw new Error('have its special characters written as %20');
  }
  return text;
}
