import { useState } from 'preact/hooks';
import { t } from '../words.ts';
import { Field } from './field.tsx';
import './file-field.css';

interface FileFieldProps {
  name: string;
  label: string;
  hint?: string;
  accept: string;
  multiple?: boolean;
  onFiles(files: readonly File[], form: HTMLFormElement): void;
}

/** Files that are chosen, or dropped anywhere on the field. */
export function FileField({ onFiles, hint, ...props }: FileFieldProps) {
  const [isOver, setOver] = useState(false);
  const take = (input: HTMLInputElement) => {
    const files = [...(input.files ?? [])];
    if (files.length > 0) onFiles(files, input.form!);
  };
  return (
    <div
      class="file-field"
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const input = event.currentTarget.querySelector('input')!;
        input.files = event.dataTransfer!.files;
        take(input);
      }}
    >
      <Field
        {...props}
        type="file"
        required
        hint={[hint, t('console.dropFile')].filter(Boolean).join(' ')}
        onChange={({ currentTarget }) => take(currentTarget)}
      />
    </div>
  );
}
