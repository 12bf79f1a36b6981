/** Focuses the open row of a list: a dialog that a key opens returns the focus to it, and not to the heading. */
export function focusCurrent(): void {
  document.querySelector('.beside-current')?.closest('a')?.focus({ preventScroll: true });
}
