#[path = "common/kuhn.rs"]
mod kuhn;
use kuhn::*;
use ramure::prelude::*;
use ramure::search::*;
#[test]
fn kuhn_eq() {
    let a = 0.2;
    let eq = |p: u8, c: u8, acts: &[Act]| match (p, c, acts.len()) {
        (0, 0, 0) => a,
        (0, 1, 0) => 0.0,
        (0, 2, 0) => 3.0 * a,
        (0, 0, _) => 0.0,
        (0, 1, _) => a + 1.0 / 3.0,
        (0, 2, _) => 1.0,
        (1, 0, _) => {
            if acts[0] == Act::Bet {
                0.0
            } else {
                1.0 / 3.0
            }
        }
        (1, 1, _) => {
            if acts[0] == Act::Bet {
                1.0 / 3.0
            } else {
                0.0
            }
        }
        _ => 1.0,
    };
    println!("eq {:.9} uniform {:.9}", exploitability(eq), exploitability(|_, _, _| 0.5));
    for n in [1000u64, 10_000, 100_000, 1_000_000] {
        for seed in 0..2 {
            let mut s = OutcomeSampling::new(InformationSet::new(Kuhn::default())).seed(seed);
            let r = s.run(Budget::iterations(n)).unwrap();
            if n == 1000 {
                println!("{r}");
            }
            let e = exploitability(|p, c, acts| {
                let mut seen = vec![Act::Deal(c)];
                seen.extend_from_slice(acts);
                s.strategy(p, &seen).iter().find(|(a, _)| *a == Act::Bet).map_or(0.5, |x| x.1)
            });
            println!("oos {n} {e:.5} {:?}", r.time);
        }
    }
    for n in [1000u64, 10_000, 100_000] {
        let mut s = PlayerTrees::new(InformationSet::new(Kuhn::default()))
            .tree_policy(ramure::selection::RegretMatching::default());
        let r = s.run(Budget::iterations(n)).unwrap();
        let e = exploitability(|p, c, acts| {
            let mut seen = vec![Act::Deal(c)];
            seen.extend_from_slice(acts);
            s.strategy(p, &seen).iter().find(|(a, _)| *a == Act::Bet).map_or(0.5, |x| x.1)
        });
        println!("rm {n} {e:.5} {:?}", r.time);
        let mut s = PlayerTrees::new(InformationSet::new(Kuhn::default()));
        let r = s.run(Budget::iterations(n)).unwrap();
        let e = exploitability(|p, c, acts| {
            let mut seen = vec![Act::Deal(c)];
            seen.extend_from_slice(acts);
            s.strategy(p, &seen).iter().find(|(a, _)| *a == Act::Bet).map_or(0.5, |x| x.1)
        });
        println!("mo-ismcts {n} {e:.5} {:?}", r.time);
    }
}
