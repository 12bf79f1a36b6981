const FILES = '/app/brand/accent-';

/** Lets this page have the new colours at once; the next one has them from the service. */
export function showAccent(color: string): void {
  const known = document.head.querySelector<HTMLLinkElement>(`link[href^="${FILES}"]`);
  if (color === '') {
    known?.remove();
    return;
  }
  const link = known ?? document.createElement('link');
  link.rel = 'stylesheet';
  link.href = `${FILES}${color.slice(1)}.css`;
  document.head.append(link);
}
