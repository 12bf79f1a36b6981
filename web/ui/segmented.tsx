import { Link } from 'wouter-preact';
import './segmented.css';

interface SegmentedProps {
  label: string;
  options: readonly { value: string; label: string }[];
  current: string;
  /** The address that shows this option. */
  hrefOf(value: string): string;
}

/** A choice between views. Each is an address, so that it can be reloaded, shared and gone back to. */
export function Segmented({ label, options, current, hrefOf }: SegmentedProps) {
  return (
    <nav class="segmented" aria-label={label}>
      {options.map((option) => (
        <Link
          key={option.value}
          href={hrefOf(option.value)}
          aria-current={option.value === current ? 'true' : undefined}
        >
          {option.label}
        </Link>
      ))}
    </nav>
  );
}
