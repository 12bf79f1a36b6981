import { Link } from 'wouter-preact';
import { formatNumber } from '../words.ts';
import { useCurrentInView } from './current-in-view.ts';
import './segmented.css';

interface SegmentedOption {
  readonly value: string;
  readonly label: string;
  /** How many are behind it. Undefined, it is still loading and has its room already, so that nothing jumps. */
  readonly count?: number | undefined;
}

interface SegmentedProps {
  label: string;
  options: readonly SegmentedOption[];
  current: string;
  /** The address that shows this option. */
  hrefOf(value: string): string;
}

/**
 * A choice between views. Each is an address, so that it can be reloaded, shared and gone back to. What does not fit
 * scrolls sideways, with the current one in view.
 */
export function Segmented({ label, options, current, hrefOf }: SegmentedProps) {
  const box = useCurrentInView(current);
  return (
    <nav ref={box} class="segmented" aria-label={label}>
      {options.map((option) => (
        <Link
          key={option.value}
          href={hrefOf(option.value)}
          aria-current={option.value === current ? 'true' : undefined}
        >
          {option.label}
          {'count' in option && (
            <span class="segmented-count">
              {option.count !== undefined && ` (${formatNumber(option.count)})`}
            </span>
          )}
        </Link>
      ))}
    </nav>
  );
}
