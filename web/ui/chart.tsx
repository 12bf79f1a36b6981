import { useEffect, useRef } from 'preact/hooks';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
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
const DAY_S = 86_400;

/** A line by day on a canvas. The line above it tells the day under the pointer. */
export function Chart(props: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const readout = useRef<HTMLParagraphElement>(null);
  const { days, values } = props;
  useEffect(() => {
    const element = place.current!;
    const seconds = days.map((day) => Date.parse(`${day}T00:00Z`) / 1000);
    const data: UPlot.AlignedData = [seconds, [...values]];
    const show = (index: number | null | undefined) => {
      const at = index ?? days.length - 1;
      const value = values[at];
      const text = value === null || value === undefined ? '–' : props.format(value);
      readout.current!.textContent = days[at] ? `${formatDate(days[at], 'short')}: ${text}` : '';
    };
    let plot: UPlot | undefined;
    const draw = () => {
      plot?.destroy();
      plot = new UPlot(optionsOf(element, props, show), data, element);
    };
    draw();
    show(undefined);
    const observer = new ResizeObserver(() => {
      if (plot && plot.width !== element.clientWidth) draw();
    });
    observer.observe(element);
    // Colours are those of the theme.
    const theme = matchMedia('(prefers-color-scheme: dark)');
    theme.addEventListener('change', draw);
    return () => {
      theme.removeEventListener('change', draw);
      observer.disconnect();
      plot?.destroy();
    };
  }, [days.join(), values.join(), props.label]);
  return (
    <div class="chart">
      <p ref={readout} class="chart-readout muted figures" aria-hidden />
      <div ref={place} class="chart-place" role="img" aria-label={props.label} />
    </div>
  );
}

function optionsOf(
  element: HTMLElement,
  { formatTick, isWhole }: ChartProps,
  show: (index: number | null | undefined) => void,
): UPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name);
  const font = `12px ${style.fontFamily}`;
  const axis = { stroke: colour('--muted'), font, ticks: { show: false } };
  return {
    width: element.clientWidth,
    height: HEIGHT,
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    legend: { show: false },
    padding: [8, 12, 0, 0],
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 8 } },
    hooks: { setCursor: [({ cursor }) => show(cursor.idx)] },
    scales: { y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.1 : 1] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 64,
        size: 28,
        gap: 8,
        incrs: [1, 2, 3, 5, 7, 10, 14, 30].map((days) => days * DAY_S),
        values: (_plot, ticks) => ticks.map((tick) => formatDate(dayOf(tick), 'short')),
      },
      {
        ...axis,
        size: (_plot, texts) => 16 + Math.max(24, ...(texts ?? []).map((text) => text.length * 7)),
        grid: { stroke: colour('--line'), width: 1 },
        values: (_plot, ticks) => ticks.map(formatTick),
        ...(isWhole && { incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 1e4, 1e5, 1e6] }),
      },
    ],
    series: [
      {},
      {
        stroke: colour('--accent'),
        fill: colour('--accent-soft'),
        width: 2,
        points: { show: false },
        spanGaps: true,
      },
    ],
  };
}

function dayOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}
