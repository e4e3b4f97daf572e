/** A bar chart with a text alternative. It can also be shown as a table. */

import { Box, Button, Card, Group, Table, Title } from "@mantine/core";
import { IconChartBar, IconTable } from "@tabler/icons-react";
import { useId, useState } from "react";
import { portalTexts } from "../../text/portal.ts";
import { BarChart } from "../../ui/charts/index.ts";
import { percent } from "../../ui/format/index.ts";
import classes from "./figure.module.css";

export interface Bar {
  readonly label: string;
  readonly value: number;
  readonly color?: string;
}

export interface FigureProps {
  readonly title: string;
  /** The table's column headers: label, value and, if `whole` is set, share. */
  readonly columns: readonly string[];
  readonly bars: readonly Bar[];
  /** Formats a value. */
  readonly format: (value: number) => string;
  /** The total from which each bar's share is calculated. */
  readonly whole?: number;
  /**
   * Whether the bars are vertical, which suits a series of periods. Otherwise, they are horizontal.
   */
  readonly isUpright?: true;
}

const BAR_px = 46;
const UPRIGHT_px = 240;

export function Figure({ title, columns, bars, format, whole, isUpright }: FigureProps) {
  const [isTable, setTable] = useState(false);
  const heading = useId();
  const texts = portalTexts.analytics;
  const share = (value: number) =>
    whole === undefined ? undefined : percent(whole === 0 ? 0 : value / whole);
  const sentence = bars
    .map(({ label, value }) =>
      [`${label}: ${format(value)}`, ...(whole === undefined ? [] : [share(value)])].join(", "),
    )
    .join("; ");
  return (
    <Card withBorder padding="lg" component="figure" m={0} aria-labelledby={heading}>
      <Group justify="space-between" mb="md" wrap="nowrap" align="flex-start">
        <Title order={2} id={heading}>
          {title}
        </Title>
        <Button
          size="xs"
          variant="default"
          style={{ flexShrink: 0 }}
          leftSection={
            isTable ? <IconChartBar size={14} aria-hidden /> : <IconTable size={14} aria-hidden />
          }
          onClick={() => setTable(!isTable)}
        >
          {isTable ? texts.asChart : texts.asTable}
        </Button>
      </Group>
      {isTable ? (
        <Table aria-labelledby={heading}>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column, at) => (
                <Table.Th key={column} ta={at === 0 ? "left" : "right"}>
                  {column}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {bars.map(({ label, value }) => (
              <Table.Tr key={label}>
                <Table.Th scope="row" fw={400}>
                  {label}
                </Table.Th>
                <Table.Td ta="right">{format(value)}</Table.Td>
                {whole !== undefined && <Table.Td ta="right">{share(value)}</Table.Td>}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      ) : (
        <Box role="img" aria-label={`${title}. ${sentence}`} className={classes["chart"] ?? ""}>
          <BarChart
            h={isUpright === true ? UPRIGHT_px : bars.length * BAR_px + 30}
            data={bars.map(({ label, value, color = "harbour.6" }) => ({
              label,
              value,
              color,
            }))}
            dataKey="label"
            orientation={isUpright === true ? "horizontal" : "vertical"}
            series={[{ name: "value", label: columns[1] ?? title, color: "harbour.6" }]}
            valueFormatter={format}
            withBarValueLabel
            valueLabelProps={{ className: classes["value"] ?? "" }}
            barProps={{ radius: 4, isAnimationActive: false }}
            barChartProps={{
              accessibilityLayer: false,
              margin: isUpright === true ? { top: 24 } : { right: 56 },
            }}
            gridAxis="none"
            tickLine="none"
            withTooltip={false}
            maxBarWidth={36}
            yAxisProps={isUpright === true ? { hide: true } : { width: 130 }}
            xAxisProps={isUpright === true ? {} : { hide: true }}
          />
        </Box>
      )}
    </Card>
  );
}
