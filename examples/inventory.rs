//! A shop that orders its stock by a search: `cargo run --release --example inventory`.
//!
//! The simulator and the search of it are the first half of the file. The rest plays two weeks.

use ramure::Simulator;
use ramure::prelude::*;
use ramure::search::Planning;

/// The pieces in stock in the morning; there is room for 20.
#[derive(Clone, Hash)]
struct Shop {
    stock: u32,
}

impl Simulator for Shop {
    type Action = u32; // how many pieces to order; they come at once
    type Reward = f64; // what the day earns

    fn actions(&self) -> impl IntoIterator<Item = u32> {
        0..=20 - self.stock
    }
    fn step(&mut self, order: u32, rng: &mut Rng) -> f64 {
        let customers = rng.below(10) as u32;
        let sold = customers.min(self.stock + order);
        self.stock = self.stock + order - sold;
        let delivery = if order > 0 { 4.0 } else { 0.0 };
        5.0 * f64::from(sold) - 2.0 * f64::from(order) - delivery - 0.2 * f64::from(self.stock)
    }
}

fn main() -> Result<(), SearchError> {
    let plan = Planning::new(Shop { stock: 0 }).discount(0.95).horizon(40);
    let mut search = Mcts::new(plan.clone());
    let (mut shop, mut world, mut earned) = (Shop { stock: 0 }, Rng::seeded(1), 0.0);
    for day in 1..=14 {
        let report = search.run(Budget::iterations(20_000))?;
        let order = report.best_action().action;
        let mean = report.chosen_action().expect("the shop is open").mean;

        print!("day {day:2}: {:2} in stock, {order:2} ordered", shop.stock);
        let today = shop.step(order, &mut world);
        earned += today;
        println!(", earned {today:6.1}; mean return in the search {mean:.0}");
        search.reset(plan.at(shop.clone()));
    }
    println!("{earned:.1} in two weeks");
    Ok(())
}
