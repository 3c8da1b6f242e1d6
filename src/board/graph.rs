//! Graphs. The constraint graph: which cell is in which house, and which differ; and who rests on
//! whom, for whoever needs an order. The only file that knows petgraph.

use std::collections::BTreeSet;
use std::fmt::Write;

use petgraph::Undirected;
use petgraph::algo::{astar, kosaraju_scc};
use petgraph::graph::{DiGraph, Graph, NodeIndex};
use petgraph::visit::EdgeRef;

use super::layout::{HouseKind, Layout};
use super::parts::Parts;
use super::sets::{Cell, Cells, House, Houses};

/// A node a cell, a house and a group; an edge where a cell is in a house or group, where two cells
/// differ, and where two cells exclude digits of each other.
///
/// Two cells see each other when an edge or a path of two through a house or group joins them; all
/// tables of a [`Layout`] are read off this graph.
pub struct ConstraintGraph {
    graph: Graph<Node, Edge, Undirected>,
    cells: Vec<NodeIndex>,
}

#[derive(Clone, Copy, PartialEq)]
enum Node {
    Cell(Cell),
    House(House),
    /// Which of the groups.
    Group(usize),
}

#[derive(Clone, Copy, PartialEq)]
enum Edge {
    Member,
    Differ,
    Exclude,
}

impl ConstraintGraph {
    /// The graph of `cells` cells, these houses, and what else a layout is made of.
    pub fn new<'a>(
        cells: usize,
        houses: impl Iterator<Item = &'a [Cell]>,
        parts: &Parts,
    ) -> ConstraintGraph {
        let mut graph = Graph::default();
        let cells: Vec<NodeIndex> =
            (0..cells).map(|c| graph.add_node(Node::Cell(Cell::at(c)))).collect();
        let houses = houses.enumerate().map(|(h, members)| (Node::House(House::at(h)), members));
        let groups = parts.groups.iter().enumerate();
        let groups = groups.map(|(g, group)| (Node::Group(g), &group.cells[..]));
        for (node, members) in houses.chain(groups) {
            let node = graph.add_node(node);
            for cell in members {
                graph.add_edge(cells[cell.index()], node, Edge::Member);
            }
        }
        for (a, b) in &parts.differ {
            graph.add_edge(cells[a.index()], cells[b.index()], Edge::Differ);
        }
        let pairs: BTreeSet<(Cell, Cell)> =
            parts.excluded.iter().map(|(a, b)| (a.cell.min(b.cell), a.cell.max(b.cell))).collect();
        for (a, b) in pairs {
            graph.add_edge(cells[a.index()], cells[b.index()], Edge::Exclude);
        }
        ConstraintGraph { graph, cells }
    }

    /// The graph of a layout.
    pub fn of(layout: &Layout) -> ConstraintGraph {
        let houses = layout.all_houses().into_iter().map(|h| layout.cells_in_order(h));
        ConstraintGraph::new(layout.cell_count(), houses, layout.parts())
    }

    /// The houses of a cell.
    pub fn houses_of(&self, cell: Cell) -> Houses {
        self.graph.neighbors(self.cells[cell.index()]).filter_map(|n| self.house(n)).collect()
    }

    /// The cells that must differ from a cell.
    pub fn peers_of(&self, cell: Cell) -> Cells {
        let mut peers = Cells::EMPTY;
        for edge in self.graph.edges(self.cells[cell.index()]) {
            let other = if edge.source() == self.cells[cell.index()] {
                edge.target()
            } else {
                edge.source()
            };
            match (edge.weight(), self.graph[other]) {
                (Edge::Differ, Node::Cell(peer)) => peers.insert(peer),
                (Edge::Member, _) => peers |= self.members(other),
                _ => {}
            }
        }
        peers.remove(cell);
        peers
    }

    /// The cells of a house or group.
    fn members(&self, node: NodeIndex) -> Cells {
        let cell = |n| match self.graph[n] {
            Node::Cell(cell) => Some(cell),
            _ => None,
        };
        self.graph.neighbors(node).filter_map(cell).collect()
    }

    fn house(&self, node: NodeIndex) -> Option<House> {
        match self.graph[node] {
            Node::House(house) => Some(house),
            _ => None,
        }
    }

    /// What a node is called in the drawing.
    fn name(&self, layout: &Layout, node: Node) -> String {
        match node {
            Node::Cell(cell) => layout.cell_name(cell),
            Node::House(house) => format!("\"{}\"", quoted(&layout.house_name(house))),
            Node::Group(group) => format!("\"{}\"", quoted(&layout.parts().groups[group].name)),
        }
    }

    /// The graph in Graphviz's language, cells and houses by name, where they stand on the grid:
    /// rows at the left, columns above, boxes among their cells, other houses at the right.
    pub fn to_dot(&self, layout: &Layout) -> String {
        let mut dot = String::from(HEAD);
        let mut beside = 0;
        for &node in self.graph.node_weights() {
            let name = self.name(layout, node);
            let ((x, y), colour) = match node {
                Node::Cell(cell) => {
                    let (x, y) = place(layout, cell);
                    let _ = writeln!(dot, "  {name} [pos=\"{x},{y}!\"];");
                    continue;
                }
                Node::House(house) if layout.kind(house) != HouseKind::Extra => {
                    (house_place(layout, house), colour(layout.kind(house)))
                }
                Node::House(_) | Node::Group(_) => {
                    beside += 1;
                    (
                        (layout.size() as f64 + 0.5, 1.0 - f64::from(beside)),
                        colour(HouseKind::Extra),
                    )
                }
            };
            let _ = writeln!(
                dot,
                "  {name} [pos=\"{x},{y}!\", shape=box, width=0.9, height=0.3, color=\"{colour}\"];"
            );
        }
        for edge in self.graph.edge_references() {
            let (a, b) = (self.graph[edge.source()], self.graph[edge.target()]);
            let style = match (edge.weight(), b) {
                (Edge::Member, Node::House(house)) => {
                    format!("color=\"{}\"", colour(layout.kind(house)))
                }
                (Edge::Exclude, _) => {
                    format!("color=\"{}\", style=dashed", colour(HouseKind::Extra))
                }
                _ => format!("color=\"{}\"", colour(HouseKind::Extra)),
            };
            let (a, b) = (self.name(layout, a), self.name(layout, b));
            let _ = writeln!(dot, "  {a} -- {b} [{style}];");
        }
        dot.push_str("}\n");
        dot
    }
}

/// A name inside quotes.
fn quoted(name: &str) -> String {
    name.replace('\\', "\\\\").replace('"', "\\\"")
}

/// Nodes stay where they are put, edges are drawn behind them.
const HEAD: &str = "\
graph constraints {
  layout=neato; outputorder=edgesfirst;
  node [shape=ellipse, fixedsize=true, width=0.7, height=0.4, fontsize=11, style=filled,
    fillcolor=white];
";

/// Where a cell is drawn, in inches.
fn place(layout: &Layout, cell: Cell) -> (f64, f64) {
    (layout.column_index(cell) as f64, -(layout.row_index(cell) as f64))
}

/// Where a row, a column or a box is drawn.
fn house_place(layout: &Layout, house: House) -> (f64, f64) {
    let first = place(layout, layout.cells_in_order(house)[0]);
    match layout.kind(house) {
        HouseKind::Row => (-1.5, first.1),
        HouseKind::Column => (first.0, 1.5),
        HouseKind::Box if layout.box_width() == layout.size() => (first.0 + 0.5, first.1 - 0.25),
        // Between four cells near the middle.
        HouseKind::Box | HouseKind::Extra => {
            let middle = |from: f64, many: usize| from + ((many - 1) / 2) as f64 + 0.5;
            let (height, width) = (layout.box_height(), layout.box_width());
            (middle(first.0, width), -middle(-first.1, height))
        }
    }
}

fn colour(kind: HouseKind) -> &'static str {
    match kind {
        HouseKind::Row => "#2060c0",
        HouseKind::Column => "#208040",
        HouseKind::Box => "#c06020",
        HouseKind::Extra => "#902090",
    }
}

/// Who rests on whom, each known by its number, and what is to be said of it.
pub struct Reliance<E>(DiGraph<(), E>);

impl<E: Copy> Reliance<E> {
    /// So many, none of which rests on another.
    pub fn of(many: usize) -> Reliance<E> {
        let mut graph = DiGraph::new();
        for _ in 0..many {
            graph.add_node(());
        }
        Reliance(graph)
    }

    /// One rests on another.
    pub fn add(&mut self, one: usize, other: usize, said: E) {
        self.0.add_edge(NodeIndex::new(one), NodeIndex::new(other), said);
    }

    /// Those that rest on each other, together; whatever they rest on besides comes before them.
    pub fn circles(&self) -> Vec<Vec<usize>> {
        let numbers = |nodes: Vec<NodeIndex>| nodes.into_iter().map(NodeIndex::index).collect();
        kosaraju_scc(&self.0).into_iter().map(numbers).collect()
    }

    /// What one rests on itself.
    pub fn below(&self, one: usize) -> impl Iterator<Item = (usize, E)> {
        self.0.edges(NodeIndex::new(one)).map(|edge| (edge.target().index(), *edge.weight()))
    }

    /// The shortest way down from one to another; the first alone where there is none.
    pub fn way(&self, one: usize, other: usize) -> Vec<usize> {
        let (one, other) = (NodeIndex::new(one), NodeIndex::new(other));
        let way = astar(&self.0, one, |node| node == other, |_| 1, |_| 0);
        way.map_or(vec![one], |(_, way)| way).into_iter().map(NodeIndex::index).collect()
    }
}
