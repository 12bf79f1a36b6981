const PARAMETER = 'as';

/**
 * The affiliate whose portal a member of the team looks at; undefined for one's own. It is in the address of
 * every screen (`/app/orders?as=7`), so that a reload shows the same.
 */
export const viewedId: number | undefined = location.pathname.startsWith('/app')
  ? Number(new URLSearchParams(location.search).get(PARAMETER)) || undefined
  : undefined;

/** The same address within the view. */
export function withView(href: string): string {
  if (viewedId === undefined || !href.startsWith('/app')) return href;
  const [path, search = ''] = href.split('?', 2);
  const query = new URLSearchParams(search);
  query.set(PARAMETER, String(viewedId));
  return `${path}?${query.toString()}`;
}

/** With this header the service refuses every change. */
export function markView(headers: Headers): void {
  if (viewedId !== undefined) headers.set('X-Svc-View-As', String(viewedId));
}
