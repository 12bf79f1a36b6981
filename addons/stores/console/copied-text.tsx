import { CopyButton } from '../../../web/ui/copy-button.tsx';

/** A text that the owner copies into the shop; `label` names the button. */
export function CopiedText({ name, text, label }: { name: string; text: string; label: string }) {
  return (
    <div class="store-copied">
      <span class="muted">{name}</span>
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </div>
  );
}
