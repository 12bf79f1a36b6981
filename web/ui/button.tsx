import type { ComponentChildren, JSX } from 'preact';
import './button.css';

type Kind = 'primary' | 'quiet' | 'danger';

interface ButtonProps extends JSX.ButtonHTMLAttributes {
  kind?: Kind;
  /** While true, a second press does nothing, and assistive technology says that it is busy. */
  busy?: boolean;
  children: ComponentChildren;
}

/** The busy button stays focusable, because a disabled one would lose the keyboard's place. */
export function Button({ kind = 'primary', busy = false, onClick, ...rest }: ButtonProps) {
  return (
    <button
      class="button"
      data-kind={kind}
      aria-disabled={busy ? 'true' : undefined}
      aria-busy={busy}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      {...rest}
    />
  );
}

interface LinkButtonProps extends JSX.AnchorHTMLAttributes {
  kind?: Kind;
  children: ComponentChildren;
}

export function LinkButton({ kind = 'primary', ...rest }: LinkButtonProps) {
  return <a class="button" data-kind={kind} {...rest} />;
}
