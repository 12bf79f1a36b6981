import { useEffect, useRef, useState } from 'preact/hooks';
import { formatDate } from '../format.ts';
import './chart.css';

export interface ChartProps {
  /** What it shows, for screen readers; the numbers are in the table behind it. */
  label: string;
  /** Days of the store. */
  days: readonly string[];
  values: readonly (number | null)[];
  format(value: number): string;
  /** Shorter, for the axis. */
  formatTick(value: number): string;
  /** Whether there are no values between two whole numbers. */
  isWhole: boolean;
}

const HEIGHT = 224;
const TOP = 8;
const BOTTOM = 28;
const RIGHT = 12;
const BASE = HEIGHT - BOTTOM;
const LABEL_WIDTH_MIN = 64;

/** A line by day. The line of text above it names the day under the pointer. */
export function Chart({ label, days, values, format, formatTick, isWhole }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [pointed, setPointed] = useState<number>();
  useEffect(() => {
    const element = place.current!;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const ticks = ticksFor(Math.max(0, ...values.map((value) => value ?? 0)), isWhole);
  const left = 16 + Math.max(24, ...ticks.map((tick) => formatTick(tick).length * 7));
  const step = (width - left - RIGHT) / Math.max(1, days.length - 1);
  const x = (index: number) => left + index * step;
  const y = (value: number) => BASE - (value / ticks.at(-1)!) * (BASE - TOP);
  const points = values.flatMap((value, i) => (value === null ? [] : [{ x: x(i), y: y(value) }]));
  const line = points.map((point) => `${point.x.toFixed(1)} ${point.y.toFixed(1)}`).join('L');
  const shown = pointed ?? days.length - 1;
  const value = values[shown];
  const every = Math.max(1, Math.ceil(LABEL_WIDTH_MIN / Math.max(step, 1)));
  return (
    <div class="chart">
      <p class="chart-readout muted figures" aria-hidden>
        {days[shown] &&
          `${formatDate(days[shown], 'short')}: ${value === null || value === undefined ? '–' : format(value)}`}
      </p>
      <div ref={place} role="img" aria-label={label}>
        {width > 0 && (
          <svg
            width={width}
            height={HEIGHT}
            aria-hidden
            onPointerMove={({ offsetX }) =>
              setPointed(between(0, Math.round((offsetX - left) / step), days.length - 1))
            }
            onPointerLeave={() => setPointed(undefined)}
          >
            {ticks.map((tick) => (
              <g key={tick}>
                <line class="chart-grid" x1={left} x2={width - RIGHT} y1={y(tick)} y2={y(tick)} />
                <text class="chart-tick" x={left - 8} y={y(tick) + 4} text-anchor="end">
                  {formatTick(tick)}
                </text>
              </g>
            ))}
            {days.map(
              (day, i) =>
                i % every === 0 &&
                // A label at the edge would be cut off.
                x(i) + LABEL_WIDTH_MIN / 3 <= width && (
                  <text key={day} class="chart-tick" x={x(i)} y={HEIGHT - 8} text-anchor="middle">
                    {formatDate(day, 'short')}
                  </text>
                ),
            )}
            {points.length > 0 && (
              <>
                <path
                  class="chart-area"
                  d={`M${points[0]!.x} ${BASE}L${line}L${points.at(-1)!.x} ${BASE}Z`}
                />
                <path class="chart-line" d={`M${line}`} />
              </>
            )}
            {pointed !== undefined && value !== null && value !== undefined && (
              <circle class="chart-point" cx={x(pointed)} cy={y(value)} r={4} />
            )}
          </svg>
        )}
      </div>
    </div>
  );
}

/** From zero to at least `most`, in four or five round steps. */
function ticksFor(most: number, isWhole: boolean): number[] {
  const rough = (most || 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const round = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough)!;
  const size = isWhole ? Math.max(1, round) : round;
  const count = Math.max(1, Math.ceil(most / size));
  return Array.from({ length: count + 1 }, (_, i) => i * size);
}

function between(least: number, value: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
