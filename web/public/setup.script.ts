/** Suggests the time zone of the browser, which is nearer to the store than that of the server. */
const zones = document.querySelector<HTMLSelectElement>('#timezone[data-suggested]');
const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zones && [...zones.options].some(({ value }) => value === own)) zones.value = own;

/** Copies the text of the element that the button names. Without a script, people select it. */
for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copies]')) {
  const source = document.getElementById(button.dataset['copies']!);
  const copy = async () => {
    await navigator.clipboard.writeText(source?.textContent ?? '');
    button.textContent = button.dataset['done']!;
  };
  // The clipboard needs HTTPS.
  button.hidden = !('clipboard' in navigator);
  button.addEventListener('click', () => void copy());
}
